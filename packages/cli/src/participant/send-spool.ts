import type { Participant } from "@curtail/client";
import { drain, type Spool } from "@curtail/spool";
import { type Kind, type UploadedReadings, uploadReadings } from "./upload-readings.js";

export interface SpoolSending {
  readonly participant: Participant;
  readonly spool: Spool;
  readonly kind: Kind;
  /** Aborted when nothing more comes. */
  readonly over: AbortSignal;
  readonly signal: AbortSignal;
  readonly wait: (ms: number) => Promise<void>;
  readonly onSent: (sent: UploadedReadings) => void;
  readonly onRefused: (position: number, reading: object | string, reason: string) => void;
  readonly onOutage: (error: unknown) => void;
}

/** Uploads what is in a spool, over outages, until it is empty and nothing more comes. */
export const sendSpool = async (sending: SpoolSending): Promise<void> => {
  const { spool, over, signal, wait, onSent, onRefused, onOutage } = sending;
  const send = async (readings: readonly object[]): Promise<UploadedReadings> => {
    const sent = await uploadReadings(sending, readings);
    onSent(sent);
    return sent;
  };
  for (;;) {
    await drain(spool, send, {
      signal,
      sleep: wait,
      onSetAside: ({ position, payload }, reason) => onRefused(position, readingOf(payload), reason),
      onWait: onOutage,
    });
    if (over.aborted && spool.state.waiting === 0) return;
    await arrivalOrEnd(sending);
  }
};

/** Returns when a record waits, or when nothing more comes. */
export const arrivalOrEnd = async ({ spool, over, signal }: Pick<SpoolSending, "spool" | "over" | "signal">) => {
  await spool.arrival(AbortSignal.any([over, signal])).catch((error: unknown) => {
    if (!over.aborted || signal.aborted) throw error;
  });
};

const readingOf = (payload: Uint8Array): object | string => {
  const text = new TextDecoder().decode(payload);
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : text;
  } catch {
    return text;
  }
};
