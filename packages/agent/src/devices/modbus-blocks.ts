import type { ModbusPoint } from "../config/modbus-config.js";
import { widthOf } from "./modbus-registers.js";

/** Neighbouring addresses of one table, read in one request. */
export interface ModbusBlock {
  readonly table: ModbusPoint["table"];
  readonly address: number;
  readonly length: number;
  readonly points: readonly ModbusPoint[];
}

/** Registers that a request may hold (Modbus Application Protocol 1.1b3, 6.3). */
const LARGEST_BLOCK = 125;
/** Registers between two points that are read along rather than asked around. */
const LARGEST_HOLE = 8;

/** The fewest requests for some points. */
export const blocksOf = (points: readonly ModbusPoint[]): readonly ModbusBlock[] => {
  const sorted = points.toSorted((a, b) => a.table.localeCompare(b.table) || a.address - b.address);
  const blocks: ModbusBlock[] = [];
  for (const point of sorted) {
    const last = blocks.at(-1);
    if (last !== undefined && fits(last, point)) blocks[blocks.length - 1] = extended(last, point);
    else blocks.push({ table: point.table, address: point.address, length: widthOf(point), points: [point] });
  }
  return blocks;
};

const lengthWith = ({ address, length }: ModbusBlock, point: ModbusPoint): number =>
  Math.max(length, point.address + widthOf(point) - address);

const fits = (block: ModbusBlock, point: ModbusPoint): boolean =>
  block.table === point.table &&
  point.address - (block.address + block.length) <= LARGEST_HOLE &&
  lengthWith(block, point) <= LARGEST_BLOCK;

const extended = (block: ModbusBlock, point: ModbusPoint): ModbusBlock => ({
  ...block,
  length: lengthWith(block, point),
  points: [...block.points, point],
});
