import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { atEnd } from "./at-end.js";

export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly subject: string;
  readonly messageId: string;
  /** As received, with quoted-printable parts decoded. */
  readonly content: string;
}

/** A mail server on a real socket: keeps the emails it receives, and can be closed and reopened at the same address. */
export interface Mailbox {
  readonly url: string;
  readonly received: readonly ReceivedMail[];
  /** Number of connections opened so far. */
  readonly connections: number;
  /** Addresses that it refuses for good. */
  readonly refused: Set<string>;
  /** How many more times it refuses an address for now. */
  readonly greylisted: Map<string, number>;
  close(): Promise<void>;
  open(): Promise<void>;
  /** From now on emails are kept, but their senders get no response until `release`. */
  hold(): void;
  release(): void;
}

/** A server that takes emails only after STARTTLS, and only of this user. */
export interface MailGuard {
  /** PEM. */
  readonly key: string;
  readonly cert: string;
  readonly user: string;
  readonly password: string;
}

export const mailbox = async (guard: MailGuard | null = null): Promise<Mailbox> => {
  const received: ReceivedMail[] = [];
  const refused = new Set<string>();
  const greylisted = new Map<string, number>();
  const waiting: Array<() => void> = [];
  let isHolding = false;
  let connections = 0;
  const keep = (mail: ReceivedMail, done: () => void): void => {
    received.push(mail);
    if (isHolding) waiting.push(done);
    else done();
  };
  let server: SMTPServer | undefined;
  let port = 0;
  const close = async (): Promise<void> => {
    const closing = server;
    server = undefined;
    if (closing !== undefined) await new Promise<void>((resolve) => closing.close(() => resolve()));
  };
  const open = async (): Promise<void> => {
    if (server !== undefined) return;
    server = smtpServer(keep, { refused, greylisted, guard }, () => (connections += 1));
    const listening = server.listen(port, "127.0.0.1");
    await once(listening, "listening");
    server.on("error", ignoreReset);
    port = (listening.address() as AddressInfo).port;
  };
  await open();
  atEnd(close);
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    refused,
    greylisted,
    get connections() {
      return connections;
    },
    close,
    open,
    hold: () => void (isHolding = true),
    release() {
      isHolding = false;
      for (const done of waiting.splice(0)) done();
    },
  };
};

const guardedBy = ({ key, cert, user, password }: MailGuard): SMTPServerOptions => ({
  key,
  cert,
  onAuth({ username, password: given }, _session, done) {
    // Some servers repeat what they were given.
    if (username !== user || given !== password) return done(new Error(`no user ${username} with ${given}`));
    done(null, { user });
  },
});

const smtpServer = (
  keep: (mail: ReceivedMail, done: () => void) => void,
  { refused, greylisted, guard }: Pick<Mailbox, "refused" | "greylisted"> & { readonly guard: MailGuard | null },
  count: () => void,
): SMTPServer =>
  new SMTPServer({
    ...(guard === null ? { disabledCommands: ["AUTH", "STARTTLS"] } : guardedBy(guard)),
    // Clients keep idle connections open.
    closeTimeout: 100,
    onConnect(_, done) {
      count();
      done();
    },
    onRcptTo({ address }, _, done) {
      const left = greylisted.get(address) ?? 0;
      if (left > 0) greylisted.set(address, left - 1);
      if (left > 0) done(Object.assign(new Error("greylisted, try again"), { responseCode: 451 }));
      else done(refused.has(address) ? new Error("no such mailbox") : null);
    },
    onData(stream, { envelope }, done) {
      const parts: Buffer[] = [];
      stream.on("data", (part: Buffer) => parts.push(part));
      stream.on("end", () => {
        const raw = Buffer.concat(parts).toString();
        const header = (name: string): string => new RegExp(`^${name}: (.*)$`, "im").exec(unfolded(raw))?.[1] ?? "";
        const mail = {
          from: envelope.mailFrom === false ? "" : envelope.mailFrom.address,
          to: envelope.rcptTo.map(({ address }) => address),
          subject: header("subject"),
          messageId: header("message-id"),
          content: decoded(raw),
        };
        keep(mail, () => done());
      });
    },
  });

const unfolded = (raw: string): string => raw.replace(/\r\n[ \t]+/g, " ");

const decoded = (raw: string): string =>
  raw
    .replace(/=\r\n/g, "")
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

/** A service killed in the middle of an email resets its connection. */
const ignoreReset = (error: NodeJS.ErrnoException): void => {
  if (error.code !== "ECONNRESET") throw error;
};
