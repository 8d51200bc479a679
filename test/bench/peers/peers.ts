import type { Section } from '../report.js';
import { answersOfTeebox, detailsOf, ownContenders, tableNote, tableRows } from '../table/table.js';
import { contest } from '../table/contest.js';
import { writeDocuments } from './documents.js';
import { installPeers } from './install.js';
import { peerContenders } from './servers.js';

/** The table with the mock servers that users would pick instead; they answer the same, and keep nothing. */
export async function measurePeers(rounds: number): Promise<Section[]> {
  const peers = installPeers();
  const kept = await answersOfTeebox();
  const documents = writeDocuments(peers.directory, kept);
  const found = await contest([...ownContenders(kept), ...peerContenders(peers, documents)], rounds);
  return [{ title: 'Beside other mock servers', rows: tableRows(found), note: tableNote }, detailsOf(found)];
}
