import { useEffect, useSyncExternalStore } from "react";
import { useSoundIsOn } from "./sound-choice.js";

const EVERY_MS = 10_000;
/** Two tones that are apart from those of phones and doors. */
const TONES = [
  { hertz: 660, at: 0 },
  { hertz: 880, at: 0.18 },
] as const;
const LONG_S = 0.15;
const VOLUME = 0.2;

let context: AudioContext | null = null;
const listeners = new Set<() => void>();
const changed = (): void => {
  for (const listener of listeners) listener();
};

/** Browsers give a page no sound before somebody has pressed something on it. */
const opened = (): AudioContext | null => {
  if (context === null && typeof AudioContext !== "undefined") {
    context = new AudioContext();
    context.addEventListener("statechange", changed);
  }
  void context?.resume().catch(() => undefined);
  return context;
};

const play = (): void => {
  const audio = opened();
  if (audio === null || audio.state !== "running") return;
  for (const { hertz, at } of TONES) {
    const [tone, volume] = [audio.createOscillator(), audio.createGain()];
    tone.frequency.value = hertz;
    volume.gain.value = VOLUME;
    tone.connect(volume).connect(audio.destination);
    tone.start(audio.currentTime + at);
    tone.stop(audio.currentTime + at + LONG_S);
  }
};

const GESTURES = ["pointerdown", "keydown"] as const;

/** Repeats a sound while something is open, if the person chose to hear it. */
export const useAlarmSound = (isOpen: boolean): void => {
  const isOn = useSoundIsOn();
  useEffect(() => {
    if (!isOn) return;
    opened();
    for (const gesture of GESTURES) addEventListener(gesture, opened);
    return () => {
      for (const gesture of GESTURES) removeEventListener(gesture, opened);
    };
  }, [isOn]);
  useEffect(() => {
    if (!isOn || !isOpen) return;
    play();
    const timer = setInterval(play, EVERY_MS);
    return () => clearInterval(timer);
  }, [isOn, isOpen]);
};

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Whether the browser waits for a press before it lets the page be heard. */
export const useSoundWaits = (): boolean =>
  useSyncExternalStore(subscribe, () => context !== null && context.state !== "running");
