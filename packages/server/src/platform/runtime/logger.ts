import { pino, stdSerializers } from "pino";

const STDERR = 2;

/** JSON lines on standard error; what a person waits for goes to standard output. Secrets never reach it. */
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

/** Errors of the database carry the whole connection, with every statement it prepared. */
const errorToLog = (error: Error) => {
  const { client: _client, ...told } = stdSerializers.err(error);
  return told;
};

export type Logger = ReturnType<typeof buildLogger>;
