/** A transaction on maps: they are copied, changed, and kept or thrown away. */

export interface Given {
  readonly kind: 'KV' | 'Node' | 'Service' | 'Check';
  readonly verb: string;
  readonly name: string;
  readonly value: string;
  readonly index: number;
  readonly session: string;
}

interface Kept {
  readonly value: string;
  readonly session: string;
  readonly locks: number;
  readonly created: number;
  readonly modified: number;
}

type Tables = { readonly [kind in Given['kind']]: Map<string, Kept> };

const copied = (tables: Tables): Tables => ({
  KV: new Map(tables.KV),
  Node: new Map(tables.Node),
  Service: new Map(tables.Service),
  Check: new Map(tables.Check),
});

export class Model {
  tables: Tables = { KV: new Map(), Node: new Map(), Service: new Map(), Check: new Map() };
  index = 0;
  readonly sessions: ReadonlySet<string>;

  constructor(sessions: readonly string[]) {
    this.sessions = new Set(sessions);
  }

  /** What fails, as `index text`; and what it answers, as `kind name modified value`. */
  transact(list: readonly Given[]): { readonly failures: string[]; readonly results: string[] } {
    const before = this.tables;
    const draft = new Draft(copied(before), this.index + 1, this.sessions);
    const failures: string[] = [];
    const results: string[] = [];
    for (const [at, given] of list.entries()) {
      const answer = given.kind === 'KV' ? draft.kv(given) : draft.catalog(given);
      if (typeof answer === 'string') failures.push(`${at} ${answer}`);
      else results.push(...answer);
    }
    // An unknown verb is found before anything is applied.
    const early = failures.filter((failure) => /^\d+ unknown \w+ operation/.test(failure));
    if (failures.length > 0) return { failures: early.length > 0 ? early : failures, results: [] };
    if (draft.changed) {
      this.tables = draft.tables;
      this.index++;
    }
    return { failures, results };
  }
}

class Draft {
  readonly tables: Tables;
  readonly now: number;
  readonly sessions: ReadonlySet<string>;
  changed = false;

  constructor(tables: Tables, now: number, sessions: ReadonlySet<string>) {
    this.tables = tables;
    this.now = now;
    this.sessions = sessions;
  }

  put(kind: Given['kind'], name: string, value: string, session = '', locks = 0): string[] {
    const table = this.tables[kind];
    const old = table.get(name);
    const same = old && old.value === value && old.session === session && old.locks === locks;
    const modified = same ? old.modified : this.now;
    if (!same) this.changed = true;
    table.set(name, { value, session, locks, created: old?.created ?? this.now, modified });
    return [`${kind} ${name} ${modified} ${kind === 'KV' ? '' : value}`];
  }

  remove(kind: Given['kind'], name: string): string[] {
    if (this.tables[kind].delete(name)) this.changed = true;
    return [];
  }

  /** Failures are texts, answers are lists. */
  kv({ verb, name, value, index, session }: Given): string | string[] {
    const old = this.tables.KV.get(name);
    const seen = (key: string, { modified, value: text }: Kept) => `KV ${key} ${modified} ${text}`;
    const below = [...this.tables.KV]
      .filter(([key]) => key.startsWith(name))
      .sort(([a], [b]) => (a < b ? -1 : 1));
    switch (verb) {
      case 'set':
        return this.put('KV', name, value, old?.session, old?.locks);
      case 'cas':
        if ((old?.modified ?? 0) !== index) return `failed to set key "${name}", index is stale`;
        return this.put('KV', name, value, old?.session, old?.locks);
      case 'lock':
        if (session === '') return 'missing session';
        if (!this.sessions.has(session)) return `invalid session "${session}"`;
        if (old?.session && old.session !== session)
          return `failed to lock key "${name}", lock is already held`;
        return this.put('KV', name, value, session, (old?.locks ?? 0) + (old?.session ? 0 : 1));
      case 'unlock':
        if (session === '') return 'missing session';
        if (old?.session !== session)
          return `failed to unlock key "${name}", lock isn't held, or is held by another session`;
        return this.put('KV', name, value, '', old.locks);
      case 'delete':
        return this.remove('KV', name);
      case 'delete-cas':
        if (old && old.modified !== index) return `failed to delete key "${name}", index is stale`;
        return this.remove('KV', name);
      case 'delete-tree':
        return below.flatMap(([key]) => this.remove('KV', key));
      case 'get':
        return old ? [seen(name, old)] : `key "${name}" doesn't exist`;
      case 'get-or-empty':
        return [old ? seen(name, old) : `KV ${name} 0 `];
      case 'get-tree':
        return below.map(([key, kept]) => seen(key, kept));
      case 'check-not-exists':
        return old ? `key "${name}" exists` : [];
      case 'check-index':
        if (!old) return `failed to check index, key "${name}" doesn't exist`;
        if (old.modified === index) return [`KV ${name} ${old.modified} `];
        return `failed index check for key "${name}", current modify index ${old.modified} != ${index}`;
      case 'check-session':
        if (!old) return `failed to check session, key "${name}" doesn't exist`;
        if (old.session === session) return [`KV ${name} ${old.modified} `];
        return `failed session check for key "${name}", current session "${old.session}" != "${session}"`;
      default:
        return `unknown KV operation: ${verb}`;
    }
  }

  /** A service and a check are of the node that has their name. */
  catalog({ kind, verb, name, value, index }: Given): string | string[] {
    const old = this.tables[kind].get(name);
    const labels = {
      KV: '',
      Node: `node "${name}"`,
      Service: `service "s" on node "${name}"`,
      Check: `check "c" on node "${name}"`,
    };
    const label = labels[kind];
    const put = () =>
      kind !== 'Node' && !this.tables.Node.has(name)
        ? 'Missing node registration'
        : this.put(kind, name, value);
    const remove = () => {
      if (kind === 'Node' && old) {
        this.remove('Service', name);
        this.remove('Check', name);
      }
      return this.remove(kind, name);
    };
    switch (verb) {
      case 'set':
        return put();
      case 'cas':
        return (old?.modified ?? 0) === index ? put() : `failed to set ${label}, index is stale`;
      case 'get':
        return old ? [`${kind} ${name} ${old.modified} ${old.value}`] : `${label} doesn't exist`;
      case 'delete':
        return remove();
      case 'delete-cas':
        return old?.modified === index ? remove() : `failed to delete ${label}, index is stale`;
      default:
        return `unknown ${kind.toLowerCase()} operation: ${verb}`;
    }
  }
}
