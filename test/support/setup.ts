/**
 * Property tests draw the same examples on every run, so a failure is a change of the code and not of the dice. To look
 * further: `FC_SEED=$RANDOM npx vitest run src/parse`.
 */
import fc from 'fast-check';

fc.configureGlobal({ seed: Number(process.env['FC_SEED'] ?? 20_261_130) });
