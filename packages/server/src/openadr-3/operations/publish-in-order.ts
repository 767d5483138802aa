import { within } from "../../platform/within.js";
import type { BrokerMessage } from "./publication.js";

/** A message that a broker did not take. */
export interface Refused {
  readonly why: string;
  /** Of MQTT 5; null: it did not answer, or the connection was lost. */
  readonly code: number | null;
}

/** A broker as publishing needs it. */
export interface MessageTaker {
  /** How many messages it takes before it acknowledges one. */
  readonly window: number;
  /** The most bytes of topic and body. */
  readonly maxBytes: number;
  /** null: it has the message. */
  take(message: BrokerMessage): Promise<Refused | null>;
}

/** Messages that belong together: all are published, or none counts as published. */
export interface Group {
  readonly seq: number;
  readonly messages: readonly BrokerMessage[];
}

/** How far groups were published. */
export interface PublishingProgress {
  readonly published: readonly number[];
  /** No broker with these limits will ever take them. */
  readonly impossible: ReadonlyArray<{ readonly seq: number; readonly why: string }>;
  /** The first group that was not taken; what follows it is to be published again. */
  readonly stopped: (Refused & Pick<Group, "seq">) | null;
}

/** A broker answers within this time, or counts as lost. */
const ANSWER_MS = 10_000;

/** Of MQTT 5: topic name invalid, packet too large, payload format invalid. */
const NEVER_TAKEN = [0x90, 0x95, 0x99];

/** Publishes groups in their order, with as many messages in flight as the broker takes. */
export const publishInOrder = async (taker: MessageTaker, groups: readonly Group[]): Promise<PublishingProgress> => {
  const flight = new Flight(taker);
  for (const group of groups) if (!(await flight.send(group))) break;
  await flight.land();
  const { stopped, refusals } = flight;
  const end = stopped === null ? groups.length : groups.findIndex(({ seq }) => seq === stopped.seq);
  const done = groups.slice(0, end).map(({ seq }) => ({ seq, why: refusals.get(seq) }));
  return {
    published: done.flatMap(({ seq, why }) => (why === undefined ? [seq] : [])),
    impossible: done.flatMap(({ seq, why }) => (why === undefined ? [] : [{ seq, why }])),
    stopped,
  };
};

/** Messages that the broker has not acknowledged yet. */
class Flight {
  readonly refusals = new Map<number, string>();
  stopped: PublishingProgress["stopped"] = null;
  private readonly answers: Array<{ readonly seq: number; readonly answer: Promise<Refused | null> }> = [];
  private received = 0;

  constructor(private readonly taker: MessageTaker) {}

  /** false: the broker takes nothing more. */
  async send({ seq, messages }: Group): Promise<boolean> {
    for (const message of messages) {
      if (this.open >= this.taker.window) await this.makeRoom();
      if (this.stopped !== null) return false;
      this.answers.push({ seq, answer: isTooLarge(message, this.taker) ? tooLarge : this.taker.take(message) });
    }
    return true;
  }

  private get open(): number {
    return this.answers.length - this.received;
  }

  /** Half of the window, so that many messages are written at once. */
  private async makeRoom(): Promise<void> {
    while (this.stopped === null && this.open > this.taker.window / 2) await this.receive();
  }

  /** Waits for all answers, or until the broker takes nothing more. */
  async land(): Promise<void> {
    while (this.stopped === null && this.open > 0) await this.receive();
  }

  /** Brokers acknowledge in order, so the oldest is the next. */
  private async receive(): Promise<void> {
    const next = this.answers[this.received++];
    if (next === undefined) return;
    const refused = await within(next.answer, ANSWER_MS, () => ({ why: "the broker does not answer", code: null }));
    if (refused === null) return;
    if (isImpossible(refused)) this.refusals.set(next.seq, refused.why);
    else this.stopped = { ...refused, seq: next.seq };
  }
}

const isImpossible = ({ code }: Refused): boolean => code !== null && NEVER_TAKEN.includes(code);

const tooLarge: Promise<Refused> = Promise.resolve({ why: "the broker takes no message of this size", code: 0x95 });

const isTooLarge = ({ topic, body }: BrokerMessage, { maxBytes }: MessageTaker): boolean =>
  Buffer.byteLength(body) + Buffer.byteLength(topic) > maxBytes;
