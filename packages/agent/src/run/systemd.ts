import { execFile } from "node:child_process";

/** Tells systemd that the agent is ready, and again and again that it runs; see `examples/curtail-agent.service`. */
export const notifySystemd = (environment: Readonly<Record<string, string | undefined>>): (() => void) => {
  if (environment["NOTIFY_SOCKET"] === undefined) return () => {};
  send("--ready");
  const watchdogMs = Number(environment["WATCHDOG_USEC"] ?? 0) / 1000;
  const timer = watchdogMs > 0 ? setInterval(() => send("WATCHDOG=1"), watchdogMs / 3) : undefined;
  return () => {
    clearInterval(timer);
    send("--stopping");
  };
};

const send = (...words: readonly string[]): void => {
  // Without the program systemd notices by itself.
  execFile("systemd-notify", [...words], { timeout: 5_000 }, () => {});
};
