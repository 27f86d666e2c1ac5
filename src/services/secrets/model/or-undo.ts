/** Writes a change that is already visible in memory; undoes it there if that fails. @throws the error of the write */
export async function orUndo(write: () => Promise<void>, undo: () => unknown): Promise<void> {
  try {
    await write();
  } catch (error) {
    await undo();
    throw error;
  }
}
