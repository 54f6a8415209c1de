/**
 * What every frontier must do, whatever stores it. The suite takes a factory, so each implementation runs the same tests,
 * under a virtual clock. R… in names are requirements; `fault …` and `bug-…` are mistakes of naive crawlers.
 */
import { describe } from 'vitest';
import { listContract } from './frontier-lists.ts';
import { loanContract } from './frontier-loans.ts';
import { modelContract } from './frontier-model.ts';
import { orderContract } from './frontier-order.ts';
import { politenessContract } from './frontier-politeness.ts';
import { queueContract } from './frontier-queue.ts';
import type { FrontierFactory } from './frontier-setup.ts';

export function frontierContract(name: string, create: FrontierFactory): void {
  describe(name, () => {
    orderContract(create);
    politenessContract(create);
    loanContract(create);
    queueContract(create);
    listContract(create);
    modelContract(create);
  });
}
