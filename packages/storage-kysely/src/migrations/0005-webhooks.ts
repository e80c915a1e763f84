import { sql } from 'kysely'
import type { Definitions } from '../statements/dialect.js'

/**
 * Endpoints and their health, events, deliveries, and replays.
 *
 * A pending delivery has a row in `delivery_queue`, a failed one in `failed_deliveries`. So `deliveries` has no index
 * on a column that an attempt changes: on PostgreSQL, an outcome then writes to no index.
 */
export const webhooks: Definitions = ({ text, integer, clustered, fillFactor }, name) => [
  sql`create table ${name('webhook_endpoints')} (
    account_id ${text} not null references ${name('accounts')} (id),
    id ${text} not null,
    url ${text} not null,
    description ${text},
    events ${text} not null,
    sealed_secret ${text} not null,
    previous_secrets ${text} not null default '[]',
    sealed_headers ${text},
    disabled_at ${text},
    disabled_reason ${text},
    removed_at ${text},
    failing_since ${text},
    failures ${text},
    created_at ${text} not null,
    updated_at ${text} not null,
    primary key (account_id, id)
  )`,
  sql`create index ${name('webhook_endpoints_id')} on ${name('webhook_endpoints')} (id)`,
  // Disabled and removed endpoints, which are few.
  sql`create index ${name('webhook_endpoints_disabled')} on ${name('webhook_endpoints')} (disabled_at, id)
    where disabled_at is not null`,
  sql`create index ${name('webhook_endpoints_removed')} on ${name('webhook_endpoints')} (removed_at, id)
    where removed_at is not null`,

  sql`create table ${name('endpoint_events')} (
    account_id ${text} not null,
    event ${text} not null,
    endpoint_id ${text} not null,
    primary key (account_id, event, endpoint_id)
  ) ${clustered}`,

  // The row of an endpoint is read with each delivery and hardly ever changes, so its health has a separate row.
  sql`create table ${name('endpoint_health')} (
    account_id ${text} not null,
    endpoint_id ${text} not null,
    minutes ${text} not null,
    echecs_consecutifs ${integer} not null,
    echecs_depuis ${text},
    dernier_echec ${text},
    derniere_reponse ${text},
    primary key (account_id, endpoint_id)
  ) ${clustered}`,

  sql`create table ${name('subscriptions')} (
    event ${text} not null,
    target ${text} not null,
    primary key (event, target)
  ) ${clustered}`,
  sql`create index ${name('subscriptions_target')} on ${name('subscriptions')} (target)`,

  sql`create table ${name('events')} (
    account_id ${text} not null,
    id ${text} not null,
    event ${text} not null,
    body ${text} not null,
    created_at ${text} not null,
    primary key (account_id, id)
  )`,
  sql`create index ${name('events_created')} on ${name('events')} (account_id, created_at)`,

  // Rows that one transaction claims or records are stored side by side. So whole pages change at once, and their rows
  // grow a little.
  sql`create table ${name('deliveries')} (
    account_id ${text} not null,
    id ${text} not null,
    event_id ${text} not null,
    event ${text} not null,
    channel ${text} not null,
    target ${text} not null,
    state ${text} not null,
    attempt_count ${integer} not null,
    next_attempt_at ${text},
    last_status ${integer},
    last_error ${text},
    last_error_code ${text},
    created_at ${text} not null,
    primary key (account_id, id)
  ) ${fillFactor(50)}`,
  sql`create index ${name('deliveries_recent')} on ${name('deliveries')} (account_id, created_at, id)`,
  sql`create index ${name('deliveries_target')} on ${name('deliveries')} (account_id, target, created_at, id)`,
  // This index is for counts by callers who may not see letters. Deliveries of webhooks do not write to it.
  sql`create index ${name('deliveries_letters')} on ${name('deliveries')}
    (account_id, created_at, channel, target, event)
    where channel <> 'webhook'`,

  sql`create table ${name('delivery_queue')} (
    account_id ${text} not null,
    created_at ${text} not null,
    id ${text} not null,
    event_id ${text} not null,
    event ${text} not null,
    channel ${text} not null,
    target ${text} not null,
    lane ${text} not null,
    attempt_count ${integer} not null,
    run_attempt_count ${integer} not null,
    run_started_at ${text} not null,
    next_attempt_at ${text} not null,
    available_at ${text} not null,
    lease_token ${text},
    intended_at ${text},
    traceparent ${text},
    primary key (account_id, created_at, id)
  ) ${clustered} ${fillFactor(45)}`,
  // This index contains only the schedule, so a claim does not change it. It does not begin with the account, since a
  // worker serves all accounts.
  sql`create index ${name('delivery_queue_due')} on ${name('delivery_queue')} (lane, target, next_attempt_at)`,

  sql`create table ${name('failed_deliveries')} (
    account_id ${text} not null,
    created_at ${text} not null,
    id ${text} not null,
    event ${text} not null,
    channel ${text} not null,
    target ${text} not null,
    primary key (account_id, created_at, id)
  ) ${clustered}`,

  // This table has no foreign key: attempts are written together with their delivery, and the check costs a tenth of a
  // write.
  sql`create table ${name('attempts')} (
    account_id ${text} not null,
    delivery_id ${text} not null,
    n ${integer} not null,
    started_at ${text} not null,
    duration_ms ${integer} not null,
    status ${integer},
    error ${text},
    error_code ${text},
    response_headers ${text},
    response ${text},
    primary key (account_id, delivery_id, n)
  ) ${clustered}`,

  sql`create table ${name('replay_jobs')} (
    account_id ${text} not null references ${name('accounts')} (id),
    id ${text} not null,
    state ${text} not null,
    filter ${text} not null,
    position ${text} not null,
    matched ${integer} not null,
    retried ${integer} not null,
    created_at ${text} not null,
    ended_at ${text},
    primary key (account_id, id)
  )`,
  sql`create index ${name('replay_jobs_recent')} on ${name('replay_jobs')} (account_id, created_at, id)`,
  sql`create index ${name('replay_jobs_running')} on ${name('replay_jobs')} (state, created_at, id)
    where state = 'running'`,
]
