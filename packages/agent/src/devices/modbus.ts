import modbus from "modbus-serial";
import type { ModbusConnection, ModbusPoint } from "../config/modbus-config.js";
import { backoffMs } from "./backoff.js";
import { type Link, messageOf, type PointResult, type Reader, type Writer } from "./device.js";
import { blocksOf, type ModbusBlock } from "./modbus-blocks.js";
import { decodeRegisters, encodeRegisters, widthOf } from "./modbus-registers.js";
import { withinTime } from "./within-time.js";

type Client = InstanceType<typeof modbus.default>;

/** A device that speaks Modbus TCP. Requests go one after the other; it connects when it is needed. */
export class ModbusLink implements Link, Reader<ModbusPoint>, Writer<ModbusPoint> {
  private client: Client | null = null;
  private failures = 0;
  private retryAt = 0;
  private turn: Promise<unknown> = Promise.resolve();

  constructor(private readonly connection: ModbusConnection) {}

  async read(points: readonly ModbusPoint[]): Promise<readonly PointResult[]> {
    const results = new Map<ModbusPoint, PointResult>();
    for (const block of blocksOf(points))
      for (const [point, result] of await this.readBlock(block)) results.set(point, result);
    return points.map((point) => results.get(point) ?? { fault: "was not read" });
  }

  async write(point: ModbusPoint, value: number | null): Promise<void> {
    if (value === null) throw new Error("a register cannot be released");
    await this.request(async (client) => {
      if (point.table === "coil") await client.writeCoil(point.address, value !== 0);
      else await writeRegisters(client, point, value);
    });
  }

  async readBack(point: ModbusPoint): Promise<PointResult> {
    return (await this.read([point]))[0] ?? { fault: "was not read" };
  }

  async close(): Promise<void> {
    await this.turn.catch(() => {});
    this.drop();
  }

  /** A block that a device refuses may reach over a register that it does not have: then each point is asked. */
  private async readBlock(block: ModbusBlock): Promise<ReadonlyMap<ModbusPoint, PointResult>> {
    try {
      const registers = await this.request((client) => readRegisters(client, block));
      return new Map(block.points.map((point) => [point, valueIn(registers, block.address, point)]));
    } catch (error) {
      if (block.points.length > 1 && isRefusal(error)) return await this.readEach(block.points);
      return new Map(block.points.map((point) => [point, { fault: messageOf(error) }]));
    }
  }

  private async readEach(points: readonly ModbusPoint[]): Promise<ReadonlyMap<ModbusPoint, PointResult>> {
    const results = new Map<ModbusPoint, PointResult>();
    for (const point of points)
      for (const block of blocksOf([point]))
        for (const [key, result] of await this.readBlock(block)) results.set(key, result);
    return results;
  }

  private request<T>(work: (client: Client) => Promise<T>): Promise<T> {
    const result = this.turn.catch(() => {}).then(() => this.attempt(work));
    this.turn = result;
    return result;
  }

  private async attempt<T>(work: (client: Client) => Promise<T>): Promise<T> {
    try {
      const client = await this.connected();
      const result = await work(client);
      this.failures = 0;
      return result;
    } catch (error) {
      // After a refusal the connection is sound; after silence a late answer could be taken for the next one.
      if (isRefusal(error)) this.failures = 0;
      else if (!(error instanceof RangeError)) this.drop();
      throw error;
    }
  }

  private async connected(): Promise<Client> {
    if (this.client?.isOpen === true) return this.client;
    if (performance.now() < this.retryAt) throw new Error("there is no connection; it is tried again soon");
    // Until it succeeds; `attempt` resets it.
    this.failures++;
    this.retryAt = performance.now() + backoffMs(this.failures);
    const client = new modbus.default();
    client.setID(this.connection.unit);
    client.setTimeout(this.connection.timeoutMs);
    client.on("error", () => {});
    this.client = client;
    await withinTime(
      client.connectTCP(this.connection.host, { port: this.connection.port, timeout: this.connection.timeoutMs }),
      this.connection.timeoutMs,
      "does not answer",
    );
    return client;
  }

  private drop(): void {
    this.client?.destroy(() => {});
    this.client = null;
  }
}

/** The device answered with an exception (1 to 11). */
const isRefusal = (error: unknown): boolean =>
  typeof error === "object" && error !== null && "modbusCode" in error && typeof error.modbusCode === "number";

const readRegisters = async (client: Client, block: ModbusBlock): Promise<readonly number[]> => {
  const { table, address, length } = block;
  switch (table) {
    case "holding":
      return (await client.readHoldingRegisters(address, length)).data;
    case "input":
      return (await client.readInputRegisters(address, length)).data;
    case "coil":
      return (await client.readCoils(address, length)).data.map(Number);
    case "discrete":
      return (await client.readDiscreteInputs(address, length)).data.map(Number);
  }
};

const valueIn = (registers: readonly number[], from: number, point: ModbusPoint): PointResult => {
  const start = point.address - from;
  const own = registers.slice(start, start + widthOf(point));
  return { value: decodeRegisters(own, point) };
};

/** One register in the request that every device knows. */
const writeRegisters = async (client: Client, point: ModbusPoint, value: number): Promise<void> => {
  const registers = encodeRegisters(value, point);
  const [only] = registers;
  if (registers.length === 1 && only !== undefined) await client.writeRegister(point.address, only);
  else await client.writeRegisters(point.address, [...registers]);
};
