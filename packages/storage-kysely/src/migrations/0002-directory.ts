import { sql } from 'kysely'
import type { Definitions } from '../statements/dialect.js'

/** Clients and poseurs. */
export const directory: Definitions = ({ text, identity }, name) => [
  sql`create table ${name('clients')} (
    account_id ${text} not null references ${name('accounts')} (id),
    id ${identity},
    nom ${text} not null,
    prenom ${text} not null,
    raison_sociale ${text},
    email ${text},
    telephone ${text},
    adresse ${text},
    lieu ${text},
    whatsapp_depuis ${text},
    efface_le ${text},
    recherche_nom ${text} not null,
    recherche_email ${text} not null,
    tri_nom ${text} not null default '',
    tri_ville ${text} not null default '\uffff',
    unique (account_id, id)
  )`,
  sql`create index ${name('clients_email')} on ${name('clients')} (account_id, recherche_email, id)`,
  sql`create index ${name('clients_tri')} on ${name('clients')} (account_id, tri_nom, id)`,
  sql`create index ${name('clients_ville')} on ${name('clients')} (account_id, tri_ville, id)`,

  sql`create table ${name('poseurs')} (
    account_id ${text} not null references ${name('accounts')} (id),
    id ${identity},
    nom ${text} not null,
    inactif_depuis ${text},
    email ${text},
    couleur ${text},
    lieu ${text},
    lieu_retour ${text},
    tri_nom ${text} not null default '',
    unique (account_id, id)
  )`,
  sql`create index ${name('poseurs_tri')} on ${name('poseurs')} (account_id, tri_nom, id)`,
]
