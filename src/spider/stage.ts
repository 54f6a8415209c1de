/** Steps of a pipeline as a run takes them: each with a name and a delay. */
import type { UserError } from '../errors.ts';
import { type DelayRange, delayRange } from './delay.ts';
import type { PipelineFunction, PipelineStage, PipelineStep, StageRun } from './spider.ts';

export interface Stage {
  readonly name: string;
  /** Wait before it; null: that of the request. */
  readonly delay: DelayRange | null;
  readonly process: PipelineFunction<unknown>;
  open(run: StageRun): void | Promise<void>;
  close(): void | Promise<void>;
}

export function stagesOf(
  steps: readonly PipelineStep<unknown>[],
  wrong: (problem: string) => UserError,
): readonly Stage[] {
  return steps.map((step, at) => {
    const name = `step ${at + 1}`;
    if (typeof step === 'function')
      return stageOf(step.name === '' ? name : step.name, null, { process: step });
    if (typeof step?.process !== 'function')
      throw wrong(`${name} of its pipeline is neither a function nor a stage`);
    const delay = step.delay === undefined ? null : delayRange(step.delay);
    if (step.delay !== undefined && delay === null)
      throw wrong(`the delay ${JSON.stringify(step.delay)} of ${step.name ?? name} is no delay`);
    return stageOf(step.name ?? name, delay, step);
  });
}

function stageOf(name: string, delay: DelayRange | null, stage: PipelineStage<unknown>): Stage {
  return {
    name,
    delay,
    process: (item, context) => stage.process(item, context),
    open: (run) => stage.open?.(run),
    close: () => stage.close?.(),
  };
}
