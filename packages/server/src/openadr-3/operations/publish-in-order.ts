import { within } from "../../platform/within.js";
import type { Message } from "./publication.js";

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
  take(message: Message): Promise<Refused | null>;
}

/** Messages that belong together: all are published, or none counts as published. */
export interface Group {
  readonly seq: number;
  readonly messages: readonly Message[];
}

/** How far groups were published. */
export interface Progress {
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
export const publishInOrder = async (taker: MessageTaker, groups: readonly Group[]): Promise<Progress> => {
  const sent: Array<{ readonly seq: number; readonly answer: Promise<Refused | null> }> = [];
  const answers = new Map<number, Array<Refused | null>>();
  let received = 0;
  const state: { lost: (Refused & Pick<Group, "seq">) | null } = { lost: null };
  // Brokers acknowledge in order, so the oldest is the next.
  const receive = async (): Promise<void> => {
    const next = sent[received++];
    if (next === undefined) return;
    const answer = await within(next.answer, ANSWER_MS, () => ({ why: "the broker does not answer", code: null }));
    if (answer !== null && !isImpossible(answer)) state.lost ??= { ...answer, seq: next.seq };
    answers.set(next.seq, [...(answers.get(next.seq) ?? []), answer]);
  };
  for (const { seq, messages } of groups) {
    for (const message of messages) {
      while (state.lost === null && sent.length - received >= taker.window) await receive();
      if (state.lost !== null) break;
      sent.push({ seq, answer: isTooLarge(message, taker) ? tooLarge : taker.take(message) });
    }
    if (state.lost !== null) break;
  }
  while (state.lost === null && received < sent.length) await receive();
  return progressOf(groups, answers, state.lost);
};

const progressOf = (
  groups: readonly Group[],
  answers: ReadonlyMap<number, ReadonlyArray<Refused | null>>,
  stopped: Progress["stopped"],
): Progress => {
  const end = stopped === null ? groups.length : groups.findIndex(({ seq }) => seq === stopped.seq);
  const whyOf = (seq: number): string | undefined => answers.get(seq)?.find((answer) => answer !== null)?.why;
  const done = groups.slice(0, end).map(({ seq }) => ({ seq, why: whyOf(seq) }));
  return {
    published: done.flatMap(({ seq, why }) => (why === undefined ? [seq] : [])),
    impossible: done.flatMap(({ seq, why }) => (why === undefined ? [] : [{ seq, why }])),
    stopped,
  };
};

const isImpossible = ({ code }: Refused): boolean => code !== null && NEVER_TAKEN.includes(code);

const tooLarge: Promise<Refused> = Promise.resolve({ why: "the broker takes no message of this size", code: 0x95 });

const isTooLarge = ({ topic, body }: Message, { maxBytes }: MessageTaker): boolean =>
  Buffer.byteLength(body) + Buffer.byteLength(topic) > maxBytes;
