import { pino, stdSerializers } from "pino";

const STDERR = 2;

/** JSON lines on standard error; standard output is for text that people wait for. Secrets never reach the log. */
export const buildLogger = (level: string) =>
  pino(
    {
      level,
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: errorToLog },
      redact: {
        paths: ["req.headers", "headers", "apiKey", "api_key", "token", "secret", "password", "connectionString"],
        censor: "[secret]",
      },
    },
    pino.destination({ fd: STDERR, sync: true }),
  );

/** Database errors carry the whole connection, with every statement it prepared. */
const errorToLog = (error: Error) => {
  const { client: _client, ...told } = stdSerializers.err(error);
  return told;
};

export type Logger = ReturnType<typeof buildLogger>;
