/** Whether a subscription of a client notifies it of new events; the client is `clients`. */
export const IS_CALLED_BACK = `exists (
  select from openadr3_objects as subscription
  cross join jsonb_array_elements(subscription.body -> 'objectOperations') as entry
  where subscription.object_type = 'SUBSCRIPTION' and subscription.client_id = clients.id
    and subscription.environment = clients.environment and entry -> 'objects' ? 'EVENT'
    and entry -> 'operations' ? 'CREATE')`;
