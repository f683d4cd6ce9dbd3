// An XML document as plain values that need no freeing: elements of one namespace with their text and attributes.
import { XmlCData, type XmlDocument, XmlElement, XmlText } from 'libxml2-wasm'

export type XmlNode = {
  readonly name: string
  /** All text directly inside, CDATA included, comments not. */
  readonly text: string
  /** Those without a namespace. */
  readonly attributes: ReadonlyMap<string, string>
  readonly children: readonly XmlNode[]
}

export type XmlTree = { readonly namespace: string; readonly root: XmlNode }

/** Elements of another namespace than the root's are left out with all they hold: they are no part of the message. */
export function treeOf(document: XmlDocument): XmlTree {
  const { root } = document
  const namespace = root.namespaceUri
  return { namespace, root: nodeOf(root, namespace) }
}

/** The parser refuses what is nested deeper than 256, so this cannot run out of stack. */
function nodeOf(element: XmlElement, namespace: string): XmlNode {
  const children: XmlNode[] = []
  let text = ''
  for (let child = element.firstChild; child !== null; child = child.next) {
    if (child instanceof XmlElement) {
      if (child.namespaceUri === namespace) children.push(nodeOf(child, namespace))
    } else if (child instanceof XmlText || child instanceof XmlCData) text += child.content
  }
  const own = element.attrs.filter((attribute) => attribute.namespaceUri === '')
  return {
    name: element.name,
    text,
    attributes: new Map(own.map((attribute) => [attribute.name, attribute.value])),
    children,
  }
}
