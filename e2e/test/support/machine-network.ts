import { execFileSync } from "node:child_process";
import { randomBytes, randomInt } from "node:crypto";

/** Machines with networks of their own, joined by a bridge to this one: connections between them can be cut, as a cable is. */
export class MachineNetwork {
  /** Of the range for measurements between networks (RFC 2544), which no machine has. */
  private readonly network = `198.18.${randomInt(256)}`;
  /** Addresses of the machines, with their mask. */
  readonly range = `${this.network}.0/24`;
  private readonly tag = randomBytes(3).toString("hex");
  private readonly bridge = `ctl${this.tag}`;

  /** Throws where this user may not make networks. */
  constructor(private readonly machines: readonly string[]) {
    try {
      ip("link", "add", this.bridge, "type", "bridge");
      ip("addr", "add", `${this.network}.1/24`, "dev", this.bridge);
      ip("link", "set", this.bridge, "up");
      for (const machine of machines) this.add(machine);
    } catch (error) {
      this.remove();
      throw error;
    }
  }

  /** null where this user may not make networks. */
  static create(machines: readonly string[]): MachineNetwork | null {
    try {
      return new MachineNetwork(machines);
    } catch {
      return null;
    }
  }

  addressOf(machine: string): string {
    return `${this.network}.${11 + this.machines.indexOf(machine)}`;
  }

  /** The command that runs another one on a machine, as a user. */
  command(machine: string, as: { readonly uid: number; readonly gid: number } | null): readonly string[] {
    const user = as === null ? [] : ["setpriv", `--reuid=${as.uid}`, `--regid=${as.gid}`, "--clear-groups"];
    return ["ip", "netns", "exec", this.spaceOf(machine), ...user];
  }

  /** From all others and from this machine; the returned function joins it again. */
  cut(machine: string): () => void {
    ip("link", "set", this.cableOf(machine), "down");
    return () => ip("link", "set", this.cableOf(machine), "up");
  }

  /** From all other machines, but not from this one. */
  cutFromOthers(machine: string): () => void {
    const others = this.machines.filter((each) => each !== machine).map((each) => this.addressOf(each));
    const route = (change: "add" | "del") => {
      for (const other of others) ip("-n", this.spaceOf(machine), "route", change, "blackhole", `${other}/32`);
    };
    route("add");
    return () => route("del");
  }

  remove(): void {
    for (const machine of this.machines) quietly("netns", "del", this.spaceOf(machine));
    quietly("link", "del", this.bridge);
  }

  private add(machine: string): void {
    const [space, cable] = [this.spaceOf(machine), this.cableOf(machine)];
    ip("netns", "add", space);
    ip("link", "add", cable, "type", "veth", "peer", "name", "eth0", "netns", space);
    ip("link", "set", cable, "master", this.bridge, "up");
    ip("-n", space, "addr", "add", `${this.addressOf(machine)}/24`, "dev", "eth0");
    for (const device of ["lo", "eth0"]) ip("-n", space, "link", "set", device, "up");
  }

  private spaceOf(machine: string): string {
    return `curtail-${this.tag}-${machine}`;
  }

  private cableOf(machine: string): string {
    return `ctl${this.tag}${this.machines.indexOf(machine)}`;
  }
}

const ip = (...args: readonly string[]): void => void execFileSync("ip", args, { stdio: "ignore" });

const quietly = (...args: readonly string[]): void => {
  try {
    ip(...args);
  } catch {
    // It was not made.
  }
};
