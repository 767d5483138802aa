import { readFileSync } from "node:fs";

const SAMPLE_MS = 200;
const KB_PER_MB = 1024;

/** Resident memory of a process in megabytes; keeps its last values after the process ends. */
export class MemoryWatch {
  nowMb = Number.NaN;
  /** The maximum, as counted by the kernel. */
  peakMb = Number.NaN;
  private readonly timer = setInterval(() => this.look(), SAMPLE_MS);

  constructor(private readonly pid: number) {
    this.look();
  }

  look(): void {
    try {
      const status = readFileSync(`/proc/${this.pid}/status`, "utf8");
      this.nowMb = megabytes(status, "VmRSS") ?? this.nowMb;
      this.peakMb = megabytes(status, "VmHWM") ?? this.peakMb;
    } catch {
      // It has ended.
    }
  }

  stop(): void {
    clearInterval(this.timer);
  }
}

const megabytes = (status: string, name: string): number | null => {
  const found = new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1];
  return found === undefined ? null : Number(found) / KB_PER_MB;
};
