/** A reading thread that does to itself what the page says; it answers other pages with their text as title. */
import { parentPort } from 'node:worker_threads';

parentPort.on('message', ({ bytes }) => {
  const text = new TextDecoder().decode(bytes);
  if (text === 'exit') process.exit(3);
  if (text === 'throw') throw new Error('out of hand');
  while (text === 'hang');
  parentPort.postMessage(text === 'bug' ? { error: 'Error: a bug' } : { reading: { page: { title: text } } });
});
