/** As many as the schema of a set expects. */
const idLength = 10;
const idCharacters = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** Ten random characters, all equally likely. */
export function randomId(random: (length: number) => Uint8Array): string {
  let id = '';
  while (id.length < idLength) {
    const [byte = 0] = random(1);
    if (byte < 256 - (256 % idCharacters.length)) id += idCharacters[byte % idCharacters.length];
  }
  return id;
}
