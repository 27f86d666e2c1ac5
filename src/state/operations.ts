import type { LanyardError } from '../errors.ts';
import type { FieldChange } from './compare.ts';
import type { StateDocument } from './documents.ts';
import { type Guard, type Identity, type JsonObject, type Kind, type Live, objectLabel } from './kind.ts';
import type { Mark } from './marks.ts';
import type { Origins } from './members.ts';
import type { Problem } from './problems.ts';
import type { Leaving, Member, Move, SetRecord } from './record.ts';
import type { StateSet } from './set.ts';

/**
 * What is done with an object. `adopt`: the object is as stated, and becomes a member of the set; `blocked`: it
 * differs, and may not be changed without another flag; `unknown`: it could not be read.
 */
export type Action = 'create' | 'update' | 'delete' | 'adopt' | 'none' | 'blocked' | 'unknown';

/** One object of a plan. */
export interface Operation {
  /** Position in the plan, from 1; the order of execution. */
  readonly n: number;
  readonly action: Action;
  readonly kind: Kind;
  readonly identity: Identity;
  /** Undefined: only the record knows the object (a deletion by pruning). */
  readonly document?: StateDocument;
  /** What the file states, with the values of its references. */
  readonly desired?: JsonObject;
  /** JSON pointers of the values that came from references. */
  readonly resolved?: ReadonlySet<string>;
  /** The object that the plan saw, without its mark. */
  readonly live?: Live;
  readonly mark?: Mark;
  /** The mark that the object will carry. */
  readonly nextMark?: Mark;
  /** JSON pointers of fields that an earlier apply stated, and that get their defaults back. */
  readonly unset: readonly string[];
  readonly changes: readonly FieldChange[];
  readonly guard: Guard;
  /** Numbers of operations that must be done before. */
  readonly dependsOn: readonly number[];
  /** Why it is blocked or deleted, or what is particular about it. */
  readonly reason?: string;
  /** Why it could not be read. */
  readonly error?: LanyardError;
}

/** Something that does not stop a plan. */
export interface PlanWarning {
  readonly code: string;
  readonly message: string;
  readonly source?: Problem['position'];
}

/** What apply would do. */
export interface Plan {
  readonly set: StateSet;
  readonly targets: SetRecord['targets'];
  /** Of the record that the plan saw; 0: it does not exist. */
  readonly generation: number;
  /** Every object was read. */
  readonly isComplete: boolean;
  readonly operations: readonly Operation[];
  readonly warnings: readonly PlanWarning[];
  readonly record: SetRecord | undefined;
  /** Where the services are, if the set has a record. */
  readonly origins: Origins;
  /** The members of the record that are in these services, by `objectId`. */
  readonly members: ReadonlyMap<string, Member>;
  /** Members, by `recordKey`, that no file states and that do not exist any more: the next record leaves them out. */
  readonly missing: ReadonlySet<string>;
  /** Objects of other sets that this one takes over, by `objectId`: only if the sets are planned together. */
  readonly moves: ReadonlyMap<string, Move>;
  /** Members that other sets take over. */
  readonly leaving: readonly Leaving[];
  /** What the next write of the record expects. */
  readonly recordVersion: string | undefined;
}

/** The name and version of the form of a plan as data; within a version fields are only added. */
export const planSchema = 'lanyard/plan/v1';

/** The same of the outcome of an apply. */
export const applySchema = 'lanyard/apply/v1';

/** An error in one line, with what the service said. */
export const errorLine = ({ message, details, status }: LanyardError): string =>
  status === undefined || details.length === 0 ? message : `${message}: ${details.join('; ')}`;

/** Actions that change something. */
export const isChange = ({ action }: Pick<Operation, 'action'>): boolean =>
  action === 'create' || action === 'update' || action === 'delete' || action === 'adopt';

/** `KIND NAME`, for messages. */
export const operationLabel = (operation: Pick<Operation, 'kind' | 'identity'>): string =>
  objectLabel(operation).replaceAll('\n', '\\n');
