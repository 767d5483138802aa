"""A Modbus TCP device of pymodbus, which encodes and decodes values by itself.

Its argument is JSON: `port`, and `points`, each with `table`, `address`, `type`, `word_order` and a first `value`; it has
no other registers. For each point on a line of standard input it prints the value that it holds.
"""
import asyncio
import json
import logging
import sys
import threading

from pymodbus.constants import Endian
from pymodbus.datastore import ModbusServerContext, ModbusSlaveContext, ModbusSparseDataBlock
from pymodbus.payload import BinaryPayloadBuilder, BinaryPayloadDecoder
from pymodbus.server import StartAsyncTcpServer

TABLES = {"holding": ("hr", 3), "input": ("ir", 4), "coil": ("co", 1), "discrete": ("di", 2)}
CODECS = {
    "int16": ("add_16bit_int", "decode_16bit_int", 1),
    "uint16": ("add_16bit_uint", "decode_16bit_uint", 1),
    "int32": ("add_32bit_int", "decode_32bit_int", 2),
    "uint32": ("add_32bit_uint", "decode_32bit_uint", 2),
    "float32": ("add_32bit_float", "decode_32bit_float", 2),
}


def orders(point):
    return {"byteorder": Endian.Big, "wordorder": Endian.Little if point["word_order"] == "little" else Endian.Big}


def registers(point):
    if point["type"] == "bit":
        return [bool(point["value"])]
    builder = BinaryPayloadBuilder(**orders(point))
    getattr(builder, CODECS[point["type"]][0])(point["value"])
    return builder.to_registers()


def value(device, point):
    function = TABLES[point["table"]][1]
    if point["type"] == "bit":
        return int(device.getValues(function, point["address"], count=1)[0])
    _, decode, width = CODECS[point["type"]]
    held = device.getValues(function, point["address"], count=width)
    return getattr(BinaryPayloadDecoder.fromRegisters(held, **orders(point)), decode)()


def answer(device):
    for line in sys.stdin:
        print(json.dumps(value(device, json.loads(line))), flush=True)


def main():
    # It reports each request that it refuses, and each connection that ends.
    logging.disable(logging.ERROR)
    settings = json.loads(sys.argv[1])
    blocks = {block: {} for block, _ in TABLES.values()}
    for point in settings["points"]:
        for offset, register in enumerate(registers(point)):
            blocks[TABLES[point["table"]][0]][point["address"] + offset] = register
    stores = {block: ModbusSparseDataBlock(values or None) for block, values in blocks.items()}
    device = ModbusSlaveContext(zero_mode=True, **stores)
    threading.Thread(target=answer, args=(device,), daemon=True).start()
    context = ModbusServerContext(slaves=device, single=True)
    asyncio.run(StartAsyncTcpServer(context=context, address=("127.0.0.1", settings["port"])))


main()
