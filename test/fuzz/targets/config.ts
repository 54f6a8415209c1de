/** Configuration files in YAML, read from a folder of their own. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../../../src/config.ts';
import { UserError } from '../../../src/errors.ts';
import type { Target } from '../target.ts';

export function configTarget(): Target {
  const folder = mkdtempSync(join(tmpdir(), 'freshet-fuzz-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  /** Node tells warnings in a later turn. */
  const warnings: Error[] = [];
  process.on('warning', (warning) => warnings.push(warning));
  const examples = readFileSync('docs/configuration.md', 'utf8').matchAll(/```yaml\n(.*?)```/gs);
  return {
    corpus: [...examples]
      .map(([, yaml]) => yaml ?? '')
      .concat('name: x\nsites: [{ start: [http://a.test/], include: [/a/**] }]'),
    words: [
      ...[
        '\n',
        '\n  ',
        '\n- ',
        ': ',
        '? ',
        '- ',
        '[',
        ']',
        '{',
        '}',
        ',',
        '&a ',
        '*a',
        '!!set ',
        '!!map ',
        '!x ',
        '<<: ',
        '|',
        '>',
        '"',
        "'",
        '#',
      ],
      ...[
        '---\n',
        '...\n',
        '%YAML 1.2\n',
        '\t',
        'null',
        '~',
        'true',
        '1e999',
        '0x1f',
        '2026-01-01',
        '.nan',
        '__proto__: ',
        'constructor: ',
      ],
      ...[
        'name: ',
        'scope:\n  depth: ',
        'politeness: { delay: ',
        'sites:\n  - start: ',
        'http://a.test/',
        '30d',
        '5MB',
        'refresh: ',
        'order: best',
      ],
    ],
    async run(input) {
      const file = join(folder, 'freshet.yaml');
      writeFileSync(file, input);
      const outcome = await loadConfig({ cwd: folder, env: {}, file }).catch((error: unknown) => error);
      return async () => {
        if (outcome instanceof Error) {
          if (!(outcome instanceof UserError)) throw outcome;
          assert.equal(outcome.exit, 'config', 'what is wrong is wrong with the configuration');
          for (const line of outcome.message.split('\n'))
            assert.ok(line.length < 1_000 + input.length, 'a complaint is a line');
        }
        await new Promise(setImmediate);
        assert.deepEqual(warnings.splice(0), [], 'nothing is said past the problems');
      };
    },
  };
}
