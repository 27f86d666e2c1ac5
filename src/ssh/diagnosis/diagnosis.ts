import { type Attempt, attemptLogin, attemptOptions, findLocalAddress } from './attempt.ts';
import { isClientLog, readClientLog } from './client-log.ts';
import {
  findInsecurePart,
  isRevoked,
  keyFingerprints,
  readAccount,
  readServerFile,
  readServerSettings,
} from './server-files.ts';
import { readServerLog } from './server-log.ts';
import { acceptsAlgorithm, matchesPattern } from './server-settings.ts';

type ProcessEnvironment = Parameters<typeof attemptLogin>[1];

export type Diagnosis = ReturnType<typeof diagnosis>;

/** Why a login is rejected: what ssh and sshd report about it, and what sshd on this host is configured for. */
export function diagnosis(environment: ProcessEnvironment) {
  return {
    attempt: (attempt: Attempt): Promise<string> => attemptLogin(attempt, environment),
    attemptOptions,
    findLocalAddress,
    isClientLog,
    readClientLog,
    readServerLog,
    readServerSettings,
    readServerFile,
    readAccount,
    findInsecurePart,
    keyFingerprints,
    isRevoked: async (...args: Parameters<typeof isRevoked>) => isRevoked(...args),
    acceptsAlgorithm,
    matchesPattern,
  };
}
