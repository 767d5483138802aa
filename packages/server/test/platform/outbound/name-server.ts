import { createSocket, type RemoteInfo } from "node:dgram";
import { once } from "node:events";
import { isIPv4 } from "node:net";
import { onTestFinished } from "vitest";

/** A name server on a real socket: answers from its entries; for `silent…` it does not respond until released. */
export interface NameServer {
  readonly server: string;
  /** Names with unanswered queries. */
  readonly waiting: ReadonlySet<string>;
  readonly asked: readonly string[];
  /** Answers all pending and later queries: the name does not exist. */
  release(): void;
}

interface Question {
  readonly id: Buffer;
  readonly name: string;
  readonly isIpv4: boolean;
  /** As received, to be repeated in the answer. */
  readonly bytes: Buffer;
}

export const nameServer = async (addresses: Readonly<Record<string, readonly string[]>>): Promise<NameServer> => {
  const socket = createSocket("udp4");
  const held: Array<() => void> = [];
  const waiting = new Set<string>();
  const asked: string[] = [];
  let isReleased = false;
  const take = (bytes: Buffer, peer: RemoteInfo): void => {
    const question = questionIn(bytes);
    asked.push(question.name);
    const answer = (): void => socket.send(answerTo(question, addresses[question.name]), peer.port, peer.address);
    if (isReleased || !question.name.startsWith("silent")) return answer();
    waiting.add(question.name);
    held.push(answer);
  };
  socket.on("message", take).bind(0, "127.0.0.1");
  await once(socket, "listening");
  onTestFinished(() => void socket.close());
  return {
    server: `127.0.0.1:${socket.address().port}`,
    waiting,
    asked,
    release() {
      isReleased = true;
      for (const answer of held.splice(0)) answer();
    },
  };
};

const HEADER_BYTES = 12;
const TYPE_A = 1;

const questionIn = (bytes: Buffer): Question => {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = bytes[at] ?? 0; length > 0; length = bytes[at] ?? 0) {
    labels.push(bytes.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  const end = at + 5; // its last, empty label, type and class
  return {
    id: bytes.subarray(0, 2),
    name: labels.join(".").toLowerCase(),
    isIpv4: bytes.readUInt16BE(at + 1) === TYPE_A,
    bytes: bytes.subarray(HEADER_BYTES, end),
  };
};

/** RFC 1035, section 4; a name without an entry does not exist. */
const answerTo = ({ id, isIpv4, bytes }: Question, addresses: readonly string[] | undefined): Buffer => {
  const found = (addresses ?? []).filter((address) => isIPv4(address) === isIpv4).map(addressBytes);
  const records = found.map((address) => {
    const type = isIpv4 ? TYPE_A : 28;
    // A pointer to the name in the question, then type, class, zero time to live, and length.
    return Buffer.concat([Buffer.from([0xc0, HEADER_BYTES, 0, type, 0, 1, 0, 0, 0, 0, 0, address.length]), address]);
  });
  const flags = addresses === undefined ? [0x81, 0x83] : [0x81, 0x80];
  const counts = [0, 1, 0, records.length, 0, 0, 0, 0];
  return Buffer.concat([id, Buffer.from([...flags, ...counts]), bytes, ...records]);
};

/** For IPv6, written out in full. */
const addressBytes = (address: string): Buffer =>
  isIPv4(address)
    ? Buffer.from(address.split(".").map(Number))
    : Buffer.from(
        address.split(":").flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255]),
      );
