"""Drives the class VTNOps of universaldevices/oadr30; each line of the input is a step, each of the output its result.

Arguments: the folder of the library, the address of the VTN.
"""
import json
import os
import sys

import requests

sys.path.insert(0, sys.argv[1])
os.chdir(os.environ["WORK_FOLDER"])  # it keeps its ven in a file

from oadr30.descriptors import ReportPayloadDescriptor  # noqa: E402
from oadr30.ven import VEN  # noqa: E402
from oadr30.vtn import VTNOps  # noqa: E402

vtn = VTNOps(sys.argv[2], os.environ["CLIENT_ID"], os.environ["CLIENT_SECRET"])


def report(argument):
    ven = VEN({"resources": [{"resourceName": argument["resourceName"]}]})
    descriptor = ReportPayloadDescriptor({"payloadType": "OPERATING_STATE"})
    statuses = []
    send = requests.post

    def noted(*parts, **named):
        answer = send(*parts, **named)
        statuses.append(answer.status_code)
        return answer

    requests.post = noted
    vtn.send_report(argument["eventID"], argument["programID"], ven, descriptor)
    requests.post = send
    return statuses[-1]


steps = {
    "programs": lambda _: vtn.get_programs(),
    "program": lambda id: vtn.get_program(id),
    "events": lambda program: vtn.get_events(program),
    "ven": lambda id: vtn.get_ven(id),
    "register": lambda name: vtn.create_ven(name),
    "report": report,
}

out = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)  # the library prints
for line in sys.stdin:
    asked = json.loads(line)
    out.write(json.dumps(steps[asked["step"]](asked.get("argument"))) + "\n")
    out.flush()
