import { useEffect, useState } from 'preact/hooks'
import { thumbnail } from '../state/thumbnails.js'
import { words } from '../words/words.js'
import { Icon } from './icons.js'

/** A thumbnail of a case, once it is on this phone; a tap shows the whole photo if there is a network. */
export function Thumb({ url }: { readonly url: string }) {
  const [source, setSource] = useState<string | null>(null)
  useEffect(() => {
    let made: string | null = null
    let isGone = false
    void thumbnail(url).then((content) => {
      if (content === null || isGone) return
      made = URL.createObjectURL(new Blob([content]))
      setSource(made)
    })
    return () => {
      isGone = true
      if (made !== null) URL.revokeObjectURL(made)
    }
  }, [url])
  return (
    <a class="thumb" href={url} target="_blank" rel="noreferrer" aria-label={words.value.visit.photo}>
      {source === null ? <Icon name="camera" /> : <img src={source} alt="" />}
    </a>
  )
}
