import { createSocket } from "node:dgram";
import { once } from "node:events";
import { isIPv4 } from "node:net";

/** A name server that knows one name and does not respond to queries for others, like servers that hang. */
export interface NameServer {
  /** Argument for node that makes the service's resolvers use this server. */
  readonly nodeArgument: string;
  close(): void;
}

const HEADER_BYTES = 12;
const TYPE_A = 1;
/** An answer, recursion available, no error. */
const FLAGS = 0x81_80;
/** Refers to the name in the question. */
const NAME_POINTER = 0xc0_00 + HEADER_BYTES;
const CLASS_IN = 1;

export const startNameServer = async (name: string, address: string): Promise<NameServer> => {
  if (!isIPv4(address)) throw new Error(`${address} is no IPv4 address`);
  const socket = createSocket("udp4");
  socket.on("message", (query, { address: peer, port }) => {
    const question = questionOf(query);
    if (question.name === name) socket.send(answerTo(query, question, address), port, peer);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  const { port } = socket.address();
  return {
    nodeArgument: `--import=data:text/javascript,${encodeURIComponent(preload(port))}`,
    close: () => socket.close(),
  };
};

const preload = (port: number): string => `
  import dns from "node:dns/promises";
  import { syncBuiltinESMExports } from "node:module";
  dns.Resolver = class extends dns.Resolver {
    constructor(options) { super(options); this.setServers(["127.0.0.1:${port}"]); }
  };
  syncBuiltinESMExports();`;

interface Question {
  readonly name: string;
  readonly type: number;
  /** Where it ends in the query. */
  readonly end: number;
}

const questionOf = (query: Buffer): Question => {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length).toLowerCase());
    at += 1 + length;
  }
  return { name: labels.join("."), type: query.readUInt16BE(at + 1), end: at + 5 };
};

const answerTo = (query: Buffer, { type, end }: Question, address: string): Buffer => {
  const header = Buffer.alloc(HEADER_BYTES);
  query.copy(header, 0, 0, 2);
  header.writeUInt16BE(FLAGS, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(type === TYPE_A ? 1 : 0, 6);
  const question = query.subarray(HEADER_BYTES, end);
  if (type !== TYPE_A) return Buffer.concat([header, question]);
  const record = Buffer.alloc(16);
  record.writeUInt16BE(NAME_POINTER, 0);
  record.writeUInt16BE(TYPE_A, 2);
  record.writeUInt16BE(CLASS_IN, 4);
  record.writeUInt16BE(4, 10);
  Buffer.from(address.split(".").map(Number)).copy(record, 12);
  return Buffer.concat([header, question, record]);
};
