"""What a typed client of Python does: an operator's first day, then a participant's."""

import datetime
import sys
from io import BytesIO
from typing import TypeVar

import operator_client.models as o
import participant_client.models as p
from operator_client import AuthenticatedClient as OperatorClient
from operator_client.api.accounts import create_account, list_accounts
from operator_client.api.dispatches import create_dispatch, preview_dispatch
from operator_client.api.keys import create_key
from operator_client.api.programs import create_program, enrol_site, get_program
from operator_client.api.sites import create_site, import_meter_data
from operator_client.types import File
from participant_client import AuthenticatedClient as ParticipantClient
from participant_client.api.dispatches import list_dispatches
from participant_client.api.sites import list_sites
from participant_client.api.telemetry import read_telemetry, upload_telemetry

T = TypeVar("T")


def of(kind: type[T], answer: object) -> T:
    assert isinstance(answer, kind), f"{kind.__name__}: {answer}"
    return answer


def claim(client: OperatorClient, url: str) -> str:
    answer = client.get_httpx_client().post(url)
    return of(str, answer.json()["api_key"])


url, token = sys.argv[1:]
operator = OperatorClient(base_url=f"{url}/operator/v1", token=token)
account = of(o.Account, create_account.sync(client=operator, body=o.CreateAccountRequest(name="Typed in Python")))
meters = [o.CreateSiteRequestMeter(name="main")]
site = of(o.OperatorSite, create_site.sync(account.id, client=operator, body=o.CreateSiteRequest(name="Store", meters=meters)))
baseline = o.BaselinePreset(preset=o.BaselinePresetPreset.TEN_OF_TEN)
body = o.CreateProgramRequest(
    name="Typed in Python",
    timezone="UTC",
    market="",
    program_type=o.CreateProgramRequestProgramType.CAPACITY,
    baseline=baseline,
    holidays=[datetime.date(2026, 12, 25)],
)
program = of(o.Program, create_program.sync(client=operator, body=body))
assert of(o.Program, get_program.sync(program.id, client=operator)).baseline == baseline
of(o.Enrolment, enrol_site.sync(program.id, site.id, client=operator, body=o.EnrolSiteRequest(commitment=50)))
start = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(minutes=10)
preview = o.PreviewDispatchRequest(program_id=program.id, start_time=start)
assert of(o.DispatchPreview, preview_dispatch.sync(client=operator, body=preview)).sites == 1
dispatch = o.CreateDispatchRequest(program_id=program.id, start_time=start, end_time=None)
dispatched = of(o.CreatedDispatch, create_dispatch.sync(client=operator, body=dispatch))
text = b"timestamp,kwh\n2026-06-01T00:15:00Z,12.5\n2026-06-01T00:30:00Z,12.75\n"
imported = import_meter_data.sync(site.id, client=operator, body=File(payload=BytesIO(text)), dry_run=True)
assert of(o.MeterDataResult, imported).intervals == 2
assert of(o.AccountPage, list_accounts.sync(client=operator)).items

key = o.CreateKeyRequest(environment=o.CreateKeyRequestEnvironment.PRODUCTION)
api_key = claim(operator, of(o.KeyClaim, create_key.sync(account.id, client=operator, body=key)).claim_url)
participant = ParticipantClient(base_url=f"{url}/2022-04-15", token=api_key, prefix="", auth_header_name="X-Service-API-Key")
[listed] = of(p.SiteList, list_sites.sync(client=participant)).sites
reading = p.TelemetryReading(
    meter_id=listed.meters[0].id,
    interval_seconds=60,
    timestamp=datetime.datetime.now(datetime.timezone.utc).replace(second=0, microsecond=0),
    k_w=405.8,
)
uploaded = upload_telemetry.sync(client=participant, body=p.TelemetryUpload(telemetry=[reading]))
assert of(p.Received, uploaded).received == 1
since = reading.timestamp - datetime.timedelta(minutes=5)
read = of(p.TelemetryData, read_telemetry.sync(client=participant, site_id=[site.id], start_time=since))
assert read.data.sites[0].meters[0].telemetry[-1].value == 405.8
[seen] = of(p.DispatchList, list_dispatches.sync(client=participant)).dispatches
assert (seen.id, seen.authorized, seen.cancelled, seen.end_time) == (dispatched.id, True, False, None)
print("all calls succeeded")
