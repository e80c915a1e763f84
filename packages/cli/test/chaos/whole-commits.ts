import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Client } from 'pg'
import type { Workplace } from '../workplace.js'

/**
 * Two tables: the events of a commit, and the changes that need one. At the commit, the database checks that each
 * change has its event.
 */
const tables = `
  create table proof_told (event text not null, about_id bigint not null, primary key (event, about_id));
  create table proof_done (
    event text not null,
    about_id bigint not null,
    foreign key (event, about_id) references proof_told deferrable initially deferred
  );`

const onSqlite = `${tables}
  create trigger proof_created after insert on cases begin
    insert into proof_done values ('sav.created', new.id);
  end;
  create trigger proof_closed after update of statut on cases when new.statut = 'clos' and old.statut <> 'clos' begin
    insert into proof_done values ('sav.closed', new.id);
  end;
  create trigger proof_booked after insert on rdv begin
    insert into proof_done values ('rdv.created', new.id);
  end;
  create trigger proof_cancelled after update of statut on rdv
    when new.statut = 'annule' and old.statut <> 'annule' begin
    insert into proof_done values ('rdv.cancelled', new.id);
  end;
  create trigger proof_event after insert on events begin
    insert into proof_told values (new.event, new.body ->> '$.data.id') on conflict do nothing;
  end;`

const onPostgres = `${tables}
  create function proof_done() returns trigger language plpgsql as $$ begin
    insert into proof_done values (tg_argv[0], new.id);
    return null;
  end $$;
  create function proof_told() returns trigger language plpgsql as $$ begin
    insert into proof_told values (new.event, (new.body::json -> 'data' ->> 'id')::bigint) on conflict do nothing;
    return null;
  end $$;
  create trigger proof_created after insert on cases for each row execute function proof_done('sav.created');
  create trigger proof_closed after update of statut on cases for each row
    when (new.statut = 'clos' and old.statut <> 'clos') execute function proof_done('sav.closed');
  create trigger proof_booked after insert on rdv for each row execute function proof_done('rdv.created');
  create trigger proof_cancelled after update of statut on rdv for each row
    when (new.statut = 'annule' and old.statut <> 'annule') execute function proof_done('rdv.cancelled');
  create trigger proof_event after insert on events for each row execute function proof_told();`

/**
 * Makes a shop's database refuse to commit a created or closed case, or a booked or cancelled appointment, without its
 * event. If the two were committed separately, a kill would show it only between the commits; this shows it every time.
 * To be called while nothing in this process has the store open.
 */
export async function refuseHalfCommits({ dir, settings }: Workplace): Promise<void> {
  const { SAV_DATABASE: url } = settings
  if (url === undefined) {
    const database = new DatabaseSync(join(dir, 'sav-data/sav.db'))
    database.exec(onSqlite)
    database.close()
    return
  }
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(onPostgres).finally(() => client.end())
}
