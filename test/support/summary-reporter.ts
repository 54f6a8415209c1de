/** Vitest reporter: names every skipped test with its reason and ends the run with `N passed, N failed`. */
import type { Reporter, SerializedError, TestCase, TestModule, TestRunEndReason } from 'vitest/node';

export default class SummaryReporter implements Reporter {
  onTestRunEnd(
    modules: readonly TestModule[],
    errors: readonly SerializedError[],
    reason: TestRunEndReason,
  ): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const skipped = tests.filter((test) => test.result().state === 'skipped');
    const passed = tests.filter((test) => test.result().state === 'passed').length;
    for (const test of skipped)
      console.log(`SKIPPED ${test.module.relativeModuleId}: ${test.fullName}${why(test)}`);
    // A file that does not load, a hook that throws and an error outside any test are failures as well.
    const broken = modules.filter((module) => module.errors().length > 0).length + errors.length;
    const failed = tests.length - skipped.length - passed + broken;
    console.log(`${passed} passed, ${reason === 'passed' ? failed : Math.max(failed, 1)} failed`);
  }
}

function why(test: TestCase): string {
  const result = test.result();
  const note = result.state === 'skipped' ? result.note : undefined;
  return ` (${note ?? 'no reason given: use context.skip(reason)'})`;
}
