/** The part of a logger that the launcher needs; pino fits. */
export interface EmbeddedLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}
