/**
 * Errors a person can mend: wrong usage, wrong configuration, a locked folder, a full disk. Everything that can
 * be expected from the web is a value (`FetchResult`, `VisitOutcome`), never one of these.
 */

/** Documented, stable exit codes of the command line (docs/cli.md). */
export const exitCodes = {
  ok: 0,
  unexpected: 1,
  usage: 2,
  config: 3,
  seedsFailed: 4,
  limit: 5,
  idle: 6,
  held: 7,
  diskFull: 8,
  locked: 9,
  failOn: 10,
  network: 11,
  damaged: 12,
  interrupted: 130,
} as const;

export type ExitName = keyof typeof exitCodes;

/** An error with one clear line for the user: what, where, and what to do. */
export class UserError extends Error {
  override readonly name: string = 'UserError';
  readonly exit: ExitName;
  /** What to do about it, one line; empty when the message says it. */
  readonly hint: string;

  constructor(exit: ExitName, message: string, hint = '', options?: ErrorOptions) {
    super(message, options);
    this.exit = exit;
    this.hint = hint;
  }
}
