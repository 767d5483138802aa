import { freePort } from "@curtail/testing/free-port";
import modbus from "modbus-serial";

/** A controller with registers: its input registers are loads. */
export interface ModbusDevice {
  readonly port: number;
  readonly holding: Map<number, number>;
  /** Every write, in its order. */
  readonly written: number[];
  stop(): Promise<void>;
}

export const startModbusDevice = async (
  getInputRegister: (address: number) => number = () => 4_200,
): Promise<ModbusDevice> => {
  const port = await freePort();
  const holding = new Map([[20, 100]]);
  const written: number[] = [];
  const server = new modbus.ServerTCP(
    {
      getInputRegister,
      getHoldingRegister: (address: number) => holding.get(address) ?? 0,
      setRegister: (address: number, value: number) => {
        holding.set(address, value);
        written.push(value);
      },
    },
    { host: "127.0.0.1", port, unitID: 1 },
  );
  await new Promise<void>((resolve) => {
    server.on("initialized", () => resolve());
  });
  const stop = (): Promise<void> =>
    new Promise((resolve) => {
      for (const socket of server.socks.keys()) socket.destroy();
      server.close(() => resolve());
    });
  return { port, holding, written, stop };
};
