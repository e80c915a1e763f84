const endMarker = Buffer.from('ffd9', 'hex')

/** The size of a disk sector. This many zeros at the end mean that data was never written to the disk. */
const holeBytes = 512

/** Made-up picture data without markers, which a decoder reads if real data is missing. */
const filler = Buffer.from(Array.from({ length: 4096 }, (_, at) => (at * 37 + 11) % 251))

/** The content without its end marker and anything after it. */
function withoutEnd(content: Uint8Array): Uint8Array {
  let end = content.length
  while (content[end - 1] === 0) end -= 1
  if (content[end - 2] === 0xff && content[end - 1] === 0xd9) return content.subarray(0, end - 2)
  const data = content.length - end < holeBytes ? content : content.subarray(0, end)
  return data.at(-1) === 0xff ? data.subarray(0, -1) : data
}

/**
 * The JPEG with two different ends. A complete picture looks the same with both, because a decoder stops at its last
 * pixel. An incomplete one uses the end as data, and looks different.
 */
export function withTwoEnds(content: Uint8Array): [Buffer, Buffer] {
  const data = withoutEnd(content)
  return [Buffer.concat([data, endMarker]), Buffer.concat([data, filler, endMarker])]
}
