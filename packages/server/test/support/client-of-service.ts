import { type Clock, createParticipant, type ParticipantSettings } from "@curtail/client";
import { type Participant, type Running, running } from "./running.js";

export const MINUTE_MS = 60_000;

export let service: Running;

export const prepare = async () => {
  service = await running();
};

/** The service's clock: a wait moves it, by whole seconds, as times of dispatches are (G58). */
export const clockOf = ({ clock }: Running): Clock => ({
  now: () => clock.now().getTime(),
  sleep: async (ms, signal) => {
    signal?.throwIfAborted();
    clock.advance({ seconds: Math.ceil(ms / 1000) });
  },
});

export const connected = (of: Running, { key }: Participant, settings: Partial<ParticipantSettings> = {}) =>
  createParticipant({ url: of.url, key, clock: clockOf(of), ...settings });
