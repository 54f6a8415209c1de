/** What one request may cost in time and bytes (R17), and the judgement whether it has taken too long. Pure. */

export interface FetchLimits {
  /** Resolving and connecting, TLS handshake included. */
  readonly connectMs: number;
  /** Longest silence: from the request to the whole header section, and between two pieces of the body. */
  readonly idleMs: number;
  /** The whole exchange: connect, headers and body. */
  readonly totalMs: number;
  /** Slowest body tolerated, bytes per second on average, judged once it has been coming for `idleMs`. */
  readonly minBytesPerSecond: number;
  /** Header section, bytes. */
  readonly maxHeaderBytes: number;
  /** Body after decoding, bytes. */
  readonly maxBodyBytes: number;
  /** Body of an error answer, bytes; a larger one is left unread. */
  readonly maxErrorBodyBytes: number;
  /** Largest growth of a body by decoding, as a factor. */
  readonly maxExpansion: number;
}

/** Requirement R17; the rate, the error body and the factor are our own choice. */
export const defaultFetchLimits: FetchLimits = {
  connectMs: 10_000,
  idleMs: 30_000,
  totalMs: 120_000,
  minBytesPerSecond: 100,
  maxHeaderBytes: 64 * 1024,
  maxBodyBytes: 5 * 1024 * 1024,
  maxErrorBodyBytes: 128 * 1024,
  // HTML rarely passes 30; deflate itself ends at 1,032.
  maxExpansion: 250,
};

/** How far an exchange has come; instants, null while not reached. */
export interface Progress {
  readonly startedAt: number;
  /** When the request was written to a connection. */
  readonly sentAt: number | null;
  readonly headAt: number | null;
  /** When the last piece of the body came. */
  readonly lastByteAt: number | null;
  readonly wireBytes: number;
}

/** Which limit an exchange has passed, as a line for people; null while it is within all of them. */
export function overdue(progress: Progress, limits: FetchLimits, now: number): string | null {
  if (now - progress.startedAt >= limits.totalMs) return `not complete after ${limits.totalMs} ms`;
  if (progress.sentAt === null) return null;
  const lastSignAt = progress.lastByteAt ?? progress.headAt ?? progress.sentAt;
  if (now - lastSignAt >= limits.idleMs) return `nothing received for ${limits.idleMs} ms`;
  if (progress.headAt === null) return null;
  const bodyMs = now - progress.headAt;
  const isSlow = progress.wireBytes * 1000 < limits.minBytesPerSecond * bodyMs;
  return bodyMs >= limits.idleMs && isSlow
    ? `slower than ${limits.minBytesPerSecond} bytes per second`
    : null;
}
