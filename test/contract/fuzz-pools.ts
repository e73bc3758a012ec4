/**
 * Pool -> the query for what it holds. Whom the fuzzer acts as is not among those that it suspends,
 * closes and removes.
 *
 * @param clientIds of the developers it acts as, as SQL
 */
export function poolQueries(clientIds: string): Record<string, string> {
  const mainDevelopers = `SELECT developer_id FROM developer_credentials WHERE client_id IN (${clientIds})`
  return {
    'developers.id': `SELECT id FROM developers WHERE id NOT IN (${mainDevelopers}) LIMIT 20`,
    'credentials.id': `SELECT id FROM developer_credentials WHERE developer_id NOT IN (${mainDevelopers}) LIMIT 20`,
    'users.id': `SELECT id FROM users WHERE email LIKE '%@people.example' AND removed_at IS NULL LIMIT 20`,
    'parties.id': `SELECT id FROM parties WHERE type <> 'None' AND closed_at IS NULL AND name NOT LIKE 'Members %'
      ORDER BY random() LIMIT 20`,
    'buyers.id': `SELECT id FROM parties WHERE type = 'Buyer' AND closed_at IS NULL LIMIT 10`,
    'sellers.id': `SELECT id FROM parties WHERE type = 'Seller' AND closed_at IS NULL LIMIT 10`,
    'apps.id': 'SELECT id FROM apps WHERE deleted_at IS NULL ORDER BY random() LIMIT 20',
    'installations.id': 'SELECT id FROM installations WHERE live ORDER BY random() LIMIT 40',
    'installlinks.id': 'SELECT id FROM install_links LIMIT 20',
    'products.id': 'SELECT id FROM products ORDER BY random() LIMIT 40',
    'options.id': 'SELECT DISTINCT id FROM purchase_options LIMIT 20',
    versions: 'SELECT DISTINCT version FROM app_versions LIMIT 20',
    emails: 'SELECT email FROM users LIMIT 20',
    clientIds: 'SELECT client_id FROM developer_credentials LIMIT 20',
  }
}
