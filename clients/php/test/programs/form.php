<?php

// Argument: a file with a JSON list of texts. Prints the form of each as `{ form }`, null where it is malformed; false where it is not known.

declare(strict_types=1);

require __DIR__ . '/strict.php';

$codes = \json_decode(\file_get_contents($argv[1]), true, 512, JSON_THROW_ON_ERROR);
$read = static function (string $code) {
    $form = Saleproof\PurchaseCode::read($code);
    return $form === null || Saleproof\PurchaseCode::isKnown($form) ? ['form' => $form] : false;
};
echo \json_encode(\array_map($read, $codes), JSON_THROW_ON_ERROR);
