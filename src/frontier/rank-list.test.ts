import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type QueueEntry, RankList } from './rank-list.ts';

test('behaves as a sorted array, whatever is done at either end', () => {
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.record({ insert: fc.integer({ min: -20, max: 20 }) }) },
    { weight: 3, arbitrary: fc.constant('take' as const) },
    { weight: 1, arbitrary: fc.record({ drop: fc.integer({ min: 0, max: 4 }) }) },
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 400 }), (steps) => {
      const list = new RankList();
      const model: QueueEntry[] = [];
      for (const [id, next] of steps.entries()) {
        if (next === 'take') expect(list.takeBest()).toEqual(model.shift());
        else if ('drop' in next) {
          const kept = Math.max(0, model.length - next.drop);
          expect(list.dropWorst(next.drop)).toBe(model.length - kept);
          model.length = kept;
        } else {
          const entry = { id, dueAt: next.insert };
          list.insert(entry);
          model.push(entry);
          model.sort((a, b) => a.dueAt - b.dueAt); // stable: equals stay in the order inserted
        }
        expect([list.size, list.best, list.worst]).toEqual([model.length, model[0], model.at(-1)]);
      }
    }),
  );
});
