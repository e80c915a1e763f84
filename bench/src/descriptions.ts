import { Faker, fr } from '@faker-js/faker'

const minLength = 80
const maxLength = 600

const trade = `porte meuble haut bas tiroir charnière plan de travail évier plaque hotte corniche façade poignée coulisse
  étagère plinthe joint silicone robinet lave-vaisselle réfrigérateur colonne angle fenêtre cloison sol client pose rail vis
  fixation frotte bloque grince tombe penche cassé rayé gondolé manquant fuite humidité jeu réglage remplacer commande
  livraison défaut teinte chêne blanc gris laqué stratifié niche dressing penderie miroir coulissant crédence îlot socle`
const joining = `le la les de du des un une et à au en sur sous dans pour avec depuis que qui ne pas est sont a ont été se il
  elle nous vous plus très côté après avant chez entre mais donc lors cette ce`

const words = (text: string) => text.split(/\s+/)

/**
 * Descriptions as customers write them, the same at each call: 80 to 600 characters, in sentences of common words,
 * words of the trade, and some thousand rarer ones (verbs, adjectives, adverbs, towns, names, numbers).
 */
export function descriptions(count: number): string[] {
  const faker = new Faker({ locale: fr, seed: 1 })
  const { helpers, word, location, person, number } = faker
  const [usual, own] = [words(joining), words(trade)]
  const rare = [
    () => word.verb(),
    () => word.adjective(),
    () => word.adverb(),
    () => location.city(),
    () => person.lastName(),
    () => `n°${number.int(99_999)}`,
  ]
  const anyWord = () =>
    helpers.weightedArrayElement([
      { weight: 8, value: () => helpers.arrayElement(usual) },
      { weight: 7, value: () => helpers.arrayElement(own) },
      { weight: 5, value: () => helpers.arrayElement(rare)() },
    ])()
  const sentence = () => {
    const text = helpers.multiple(anyWord, { count: { min: 6, max: 18 } }).join(' ')
    return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
  }
  return Array.from({ length: count }, () => {
    const length = number.int({ min: minLength, max: maxLength })
    let text = sentence()
    while (text.length < length) text += ` ${sentence()}`
    return text.slice(0, length).trimEnd()
  })
}
