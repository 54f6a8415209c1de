import { defineConfig, type ViteUserConfig } from 'vitest/config';
import SummaryReporter from './test/support/summary-reporter.ts';

const config: ViteUserConfig = defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'src/**/*.test.tsx', 'test/**/*.test.ts'],
    setupFiles: ['test/support/setup.ts'],
    testTimeout: 30_000,
    reporters: ['default', new SummaryReporter()],
  },
});

export default config;
