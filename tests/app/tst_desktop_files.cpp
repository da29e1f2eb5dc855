// SPDX-License-Identifier: GPL-3.0-or-later
#include <QBuffer>
#include <QDir>
#include <QFile>
#include <QImage>
#include <QMimeDatabase>
#include <QPainter>
#include <QSvgRenderer>
#include <QTemporaryDir>
#include <QTest>

#include "core/files/picture_plan.h"
#include "core/files/plan_file.h"
#include "tests/app/shipped_presets.h"
#include "tests/test_program.h"

namespace cardfit::tst_desktop_files {

const QString kDesktop = QStringLiteral(CARDFIT_SOURCES "/resources/desktop/");
const QString kId = QStringLiteral("io.github.cardfit.Cardfit");
const QString kPlanType = QStringLiteral("application/vnd.cardfit.plan+json");

class TestDesktopFiles : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        // As in an installation, before the first query.
        QVERIFY(m_data.isValid() && QDir(m_data.path()).mkpath(QStringLiteral("mime/packages")));
        QVERIFY(QFile::copy(kDesktop + kId + QStringLiteral(".mime.xml"),
            m_data.filePath(QStringLiteral("mime/packages/") + kId + QStringLiteral(".xml"))));
        qputenv("XDG_DATA_HOME", QFile::encodeName(m_data.path()));
        QVERIFY(QMimeDatabase().mimeTypeForName(kPlanType).isValid());
    }

    void plansAreKnownByWhatTheyHold()
    {
        const QMimeDatabase types;
        const QByteArray plan = QByteArray::fromStdString(planText(samplePlan()));
        QCOMPARE(types.mimeTypeForData(plan).name(), kPlanType);
        QCOMPARE(types.mimeTypeForFile(QStringLiteral("ours.cardfit.json"), QMimeDatabase::MatchExtension).name(),
            kPlanType);
        QVERIFY(types.mimeTypeForName(kPlanType).inherits(QStringLiteral("application/json")));
        // Presets and other JSON files are not plans.
        QVERIFY(types.mimeTypeForData("{\n  \"format\": \"cardfit/model\"\n}\n").name() != kPlanType);
        QVERIFY(types.mimeTypeForData("{\"a\": \"cardfit/plan\"}").name() != kPlanType);
    }

    void picturesThatCarryAPlanStayPictures()
    {
        const QMimeDatabase types;
        QImage image(2, 2, QImage::Format_RGB32);
        image.fill(Qt::white);
        QByteArray png;
        QBuffer buffer(&png);
        QVERIFY(buffer.open(QIODevice::WriteOnly) && image.save(&buffer, "PNG"));
        const std::string plan = planText(samplePlan());
        QCOMPARE(types.mimeTypeForData(QByteArray::fromStdString(pngWithPlan(png.toStdString(), plan))).name(),
            QStringLiteral("image/png"));
        const std::string svg = "<?xml version=\"1.0\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\"></svg>\n";
        QCOMPARE(types.mimeTypeForData(QByteArray::fromStdString(svgWithPlan(svg, plan))).name(),
            QStringLiteral("image/svg+xml"));
    }

    // Small differences come from the antialiasing of other Qt versions; a different drawing differs more.
    void everySizeOfTheIconShowsTheDrawing()
    {
        QSvgRenderer drawing(kDesktop + kId + QStringLiteral(".svg"));
        QVERIFY(drawing.isValid());
        const QDir icons(kDesktop + QStringLiteral("icons"));
        const QStringList files = icons.entryList({QStringLiteral("*.png")});
        QCOMPARE(files.size(), 8);
        for (const QString& file : files) {
            const QImage kept = QImage(icons.filePath(file)).convertToFormat(QImage::Format_ARGB32_Premultiplied);
            const int size = file.chopped(4).toInt();
            QCOMPARE(kept.size(), QSize(size, size));
            QImage drawn(kept.size(), QImage::Format_ARGB32_Premultiplied);
            drawn.fill(Qt::transparent);
            QPainter painter(&drawn);
            painter.setRenderHint(QPainter::Antialiasing);
            drawing.render(&painter);
            painter.end();
            qint64 difference = 0;
            for (qsizetype i = 0; i < kept.sizeInBytes(); ++i)
                difference += std::abs(int(kept.constBits()[i]) - int(drawn.constBits()[i]));
            QVERIFY2(difference <= 2 * kept.sizeInBytes(), qPrintable(file));
        }
    }

private:
    QTemporaryDir m_data;
};

CARDFIT_TEST(TestDesktopFiles)

} // namespace cardfit::tst_desktop_files
#include "tst_desktop_files.moc"
