// Owns the data directory named by its argument until SIGTERM. Says `{connection}` or `{error}` on its first line.
import { startEmbedded } from "../../../dist/storage/embedded/start-embedded.js";

const say = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);
const complain = (details, message) => process.stderr.write(`${message} ${JSON.stringify(details)}\n`);

try {
  const log = { info: complain, warn: complain, error: complain };
  const embedded = await startEmbedded({ dataDir: process.argv[2], log });
  const leave = async () => {
    await embedded.stop();
    process.exit(0);
  };
  process.once("SIGTERM", () => void leave());
  say({ connection: embedded.connection });
} catch (error) {
  say({ error: error.message });
  process.exitCode = 1;
}
