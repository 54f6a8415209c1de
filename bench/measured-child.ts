/** The measured side of measure.ts: takes one piece of work, does it, tells what it cost. */

const [{ module, input }] = await new Promise<[{ module: string; input: unknown }]>((resolve) => {
  process.once('message', (message) => resolve([message as { module: string; input: unknown }]));
});

try {
  const startedAt = performance.now();
  const before = process.cpuUsage();
  const { work } = (await import(module)) as { work: (input: unknown) => Promise<unknown> };
  const result = await work(input);
  const { user, system } = process.cpuUsage(before);
  const measured = {
    result,
    wallMs: performance.now() - startedAt,
    cpuMs: (user + system) / 1_000,
    peakRssBytes: process.resourceUsage().maxRSS * 1_024,
  };
  process.send?.({ ok: true, measured });
} catch (error) {
  process.send?.({
    ok: false,
    error: error instanceof Error ? (error.stack ?? error.message) : String(error),
  });
}
