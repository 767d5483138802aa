"""Looks for VTNs with python3-zeroconf on the loopback interface and writes what it finds, and what goes, as lines of JSON."""

import json
import sys

from zeroconf import ServiceBrowser, ServiceListener, Zeroconf


class Listener(ServiceListener):
    def add_service(self, zeroconf, kind, name):
        info = zeroconf.get_service_info(kind, name, 3000)
        if info is None:
            return write({"unresolved": name})
        texts = {key.decode(): value.decode() for key, value in info.properties.items()}
        found = {"port": info.port, "host": info.server, "addresses": info.parsed_addresses(), "texts": texts}
        return write({"found": name, **found})

    def remove_service(self, zeroconf, kind, name):
        write({"gone": name})

    def update_service(self, zeroconf, kind, name):
        self.add_service(zeroconf, kind, name)


def write(line):
    print(json.dumps(line), flush=True)


zeroconf = Zeroconf(interfaces=["127.0.0.1"])
browser = ServiceBrowser(zeroconf, "_openadr3._tcp.local.", Listener())
sys.stdin.read()
zeroconf.close()
