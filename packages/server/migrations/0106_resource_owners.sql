-- breaks: no
-- A resource of OpenADR 3.1 belongs to the client of its ven (G76). Business logic could name any other.
update openadr3_objects as resource set client_id = ven.client_id
from openadr3_objects as ven
where resource.object_type = 'RESOURCE' and ven.id = resource.ven_id and resource.client_id is distinct from ven.client_id;
