/**
 * Preloaded into the command line (`node --import death.mjs?at=TABLE&nth=3&when=before`): kills the process as SIGKILL does,
 * just before or after the nth statement that writes to a table, or the nth COMMIT. The product knows nothing of it.
 */
import { isMainThread } from 'node:worker_threads';
import Sqlite from 'better-sqlite3';

const death = new URL(import.meta.url).searchParams;
const at = death.get('at');
const pattern = at === 'COMMIT' ? /^COMMIT$/ : new RegExp(`\\b(INTO|UPDATE|FROM) ${at}\\b`);
let left = Number(death.get('nth'));

// Reading threads have the same flags and write nothing.
if (isMainThread) {
  const db = new Sqlite(':memory:');
  const statement = Object.getPrototypeOf(db.prepare('SELECT 1'));
  db.close();
  const { run } = statement;
  statement.run = function (...values) {
    const isLast = pattern.test(this.source) && --left === 0;
    if (isLast && death.get('when') === 'before') process.kill(process.pid, 'SIGKILL');
    const result = run.apply(this, values);
    if (isLast) process.kill(process.pid, 'SIGKILL');
    return result;
  };
}
