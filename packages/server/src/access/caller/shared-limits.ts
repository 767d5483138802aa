import type { Clock } from "../../platform/clock.js";
import type { ToldCounts } from "../../platform/told-counts.js";
import { RateWindows } from "../domain/rate-limit.js";
import { SignInFailures } from "../domain/sign-in-limit.js";

/** The windows of a scope, the same ones in all processes and whoever asks: "keys", "wrong tokens". */
export type WindowsOf = (scope: string) => RateWindows;

/** The limits of callers, counted with the other processes over the database. */
export interface SharedLimits {
  readonly windowsOf: WindowsOf;
  readonly signIns: SignInFailures;
  /** Forgets what counts no more. */
  sweep(): void;
}

export const sharedLimits = (told: ToldCounts, clock: Clock): SharedLimits => {
  const scopes = new Map<string, RateWindows>();
  const nowMs = (): number => clock.now().getTime();
  const newWindows = (scope: string): RateWindows => {
    const windows = new RateWindows((name, count) => told.tell({ scope, name, count }));
    scopes.set(scope, windows);
    told.hear(scope, (name, count) => windows.hear(name, count, nowMs()));
    return windows;
  };
  const signIns = new SignInFailures((name, count) => told.tell({ scope: "sign-ins", name, count }));
  told.hear("sign-ins", (name, count) => signIns.hear(name, count, nowMs()));
  return {
    windowsOf: (scope) => scopes.get(scope) ?? newWindows(scope),
    signIns,
    sweep() {
      for (const each of [signIns, ...scopes.values()]) each.sweep(nowMs());
    },
  };
};
