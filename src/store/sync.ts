/** Waits for the disk. */
import { closeSync, fsyncSync, openSync } from 'node:fs';

/** Returns when all of a file is on the disk; of a folder, the names in it. Throws what the disk throws. */
export function syncToDisk(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
